import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Distance in pixels that still counts as being at the end. */
const near = 60

type ChatScroll = {
  /** The scrolling element; its only child grows. */
  box: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  toEnd: () => void
}

/**
 * Scroll position of a list that grows at both ends. Sticks to the end; elsewhere keeps the visible content in place when older messages
 * load above. (Not all browsers anchor scrolling, and none at the very top.)
 * @param firstKey key of the oldest row @param isReady whether the first page has loaded
 */
export function useChatScroll(firstKey: string | undefined, isReady: boolean): ChatScroll {
  const box = useRef<HTMLDivElement>(null)
  const last = useRef({ firstKey, height: 0, top: 0, isAtEnd: true, hasStarted: false })
  const [isAtEnd, setAtEnd] = useState(true)

  const note = useCallback(() => {
    const element = box.current
    if (!element) return
    const { scrollHeight, scrollTop, clientHeight } = element
    const atEnd = scrollHeight - scrollTop - clientHeight < near
    Object.assign(last.current, { height: scrollHeight, top: scrollTop, isAtEnd: atEnd })
    setAtEnd(atEnd)
  }, [])

  const toEnd = useCallback(() => {
    const element = box.current
    if (!element) return
    element.scrollTop = element.scrollHeight
    note()
  }, [note])

  useLayoutEffect(() => {
    const element = box.current
    const before = last.current
    if (!element || !isReady) return
    if (!before.hasStarted) {
      before.hasStarted = true
      before.firstKey = firstKey
      // Scroll to the first new message, otherwise to the end.
      const news = element.querySelector<HTMLElement>('[data-news]')
      if (news) element.scrollTop = Math.max(0, news.offsetTop - 48)
      else element.scrollTop = element.scrollHeight
      note()
    } else if (before.firstKey !== firstKey) {
      before.firstKey = firstKey
      if (!before.isAtEnd) element.scrollTop = before.top + (element.scrollHeight - before.height)
      note()
    }
  }, [firstKey, isReady, note])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const follow = () => {
      if (!last.current.hasStarted) return
      if (last.current.isAtEnd) element.scrollTop = element.scrollHeight
      note()
    }
    const observer = new ResizeObserver(follow)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', note, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [note])

  return { box, isAtEnd, toEnd }
}
