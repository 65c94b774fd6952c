export type TextPart = { text: string; href: string | null }

const address = /\bhttps?:\/\/[^\s<>"']+/gi
/** What ends a sentence or a bracket around an address is not part of it. */
const trailing = /[.,;:!?…)\]}»”’]+$/

/** Cuts a text into words and web addresses. Only http(s) addresses that a browser can read become links; nothing is HTML. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(address)) {
    const found = trimEnd(match[0])
    const url = URL.canParse(found) ? new URL(found) : null
    // A name before the host ("https://bank.example@evil.example") only serves to deceive.
    if (!url?.hostname.includes('.') || url.username !== '') continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null })
    parts.push({ text: found, href: url.href })
    end = match.index + found.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null })
  return parts
}

/** Without the marks after it; a closing bracket stays where it has its opening one ("/wiki/Hemp_(plant)"). */
function trimEnd(found: string): string {
  const bare = found.replace(trailing, '')
  const bracket = found[bare.length]
  return bracket === ')' && bare.includes('(') ? `${bare})` : bare
}
