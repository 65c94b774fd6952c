/** Accepts relative addresses and `{x}` placeholders. */
export function outsideHosts(urls: readonly (string | null)[], ownOrigin: string): string[] {
  const hosts = urls.flatMap((url) => {
    if (!url) return []
    const { origin, host } = new URL(url, ownOrigin)
    return origin === ownOrigin ? [] : [host]
  })
  return [...new Set(hosts)]
}
