let title = document.title
let unread = ''

/** The page's title without what is put before it. */
export function setTitle(text: string): void {
  title = text
  document.title = unread + title
}

/** "(3) Home · Sungrove": how much is unread; 0 takes it away. */
export function setUnreadInTitle(count: number): void {
  unread = count > 0 ? `(${count > 99 ? '99+' : count}) ` : ''
  document.title = unread + title
}
