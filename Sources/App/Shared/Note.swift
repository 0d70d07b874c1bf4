/// A fact about the site itself, kept by name: whether the demo was filled in, when it was last ready.
enum Note {}
