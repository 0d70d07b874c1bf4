import Templating

/// What the templates of this folder are drawn in.
struct Frame: TemplateFrame {
    var catalogue: Catalogue?
}
