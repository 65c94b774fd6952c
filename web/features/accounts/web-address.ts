/** Whoever types "example.com" means https://example.com; anything else stays as it was typed. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  return /^[^\s:/@.]+(\.[^\s:/@.]+)+([:/?#]\S*)?$/.test(text) ? `https://${text}` : typed
}
