export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers only start reading the URL after the current task, so revoke it much later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** "Blue Dream x Haze: growth" → "blue-dream-x-haze-growth". */
export function fileNameOf(...words: string[]): string {
  const name = words
    .join(' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return name.slice(0, 80).replace(/-+$/, '') || 'plot'
}
