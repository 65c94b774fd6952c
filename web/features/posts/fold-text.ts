/** From these on, a text in a list is folded. Well above what is shown then, so that unfolding is worth the press. */
const foldFrom = { characters: 560, lines: 12 }
const shown = { characters: 380, lines: 7 }

/** The beginning of a long text, cut between words; null when the text is short enough to be shown whole. */
export function foldText(text: string): string | null {
  const lines = text.split('\n')
  if (text.length <= foldFrom.characters && lines.length <= foldFrom.lines) return null
  const first = lines.slice(0, shown.lines).join('\n')
  if (first.length <= shown.characters) return `${first.trimEnd()} …`
  const cut = first.slice(0, shown.characters)
  const space = cut.search(/\s\S*$/)
  return `${(space > shown.characters / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()} …`
}
