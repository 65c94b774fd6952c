/** "https://www.example.com/menu/" → "example.com/menu". */
export function websiteName(address: string): string {
  if (!URL.canParse(address)) return address
  const { host, pathname } = new URL(address)
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}`
}
