// Words for a number, out of an element's data attributes: data-one="1 child", data-other="{count} children".
// The keys are the plural categories of the page's language (zero one two few many other); "other" is needed.

/** The words of `element` for `count`. Empty if it carries none. */
export function words(element, count) {
  const language = document.documentElement.lang || "en"
  const category = new Intl.PluralRules(language).select(count)
  const message = element.dataset[category] ?? element.dataset.other ?? ""
  return message.replaceAll("{count}", count.toLocaleString(language))
}
