const mostLength = 300

/**
 * What went wrong, in its first line, without what may be somebody's: addresses, links, long numbers, tokens, quoted text.
 * The log has all of it, where the operator alone reads.
 */
export function withoutPrivateData(message: string): string {
  const line = message.split('\n', 1)[0]?.trim() ?? ''
  const clean = line
    .replace(/[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+/g, '[address]')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[link]')
    .replace(/"[^"]*"|“[^”]*”|'[^']{12,}'/g, '[text]')
    .replace(/\b(?=[\w-]*\d)[\w-]{20,}\b/g, '[id]')
    .replace(/\+?\d[\d\s()-]{6,}\d|\b\d{3}\.\d{3}\.\d{4}\b/g, '[number]')
  return clean.length > mostLength ? `${clean.slice(0, mostLength - 1)}…` : clean || 'No message'
}
