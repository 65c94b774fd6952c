import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { isVisitorPage } from '#contracts/visitor-pages.ts'

/** For an address from the server. Navigates on the client unless the server renders the page. */
export function ActionLink({ href, onClick, ...props }: ComponentProps<'a'> & { href: string }) {
  const router = useRouter()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isForBrowser = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || isForBrowser || isVisitorPage(href)) return
    event.preventDefault()
    router.history.push(href)
  }
  return <a href={href} onClick={follow} {...props} />
}
