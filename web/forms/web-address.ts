/** Adds https:// to a bare domain such as "example.com"; leaves other input unchanged. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  return /^[^\s:/@.]+(\.[^\s:/@.]+)+([:/?#]\S*)?$/.test(text) ? `https://${text}` : typed
}
