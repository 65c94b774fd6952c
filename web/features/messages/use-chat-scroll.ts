import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end counts as being there, in pixels. */
const near = 60

type ChatScroll = {
  /** The element that scrolls; its only child grows. */
  box: RefObject<HTMLDivElement | null>
  /** Whether the newest is in view. */
  isAtEnd: boolean
  toEnd: () => void
}

/**
 * Where a list stands that grows at both ends. At its end it stays there; elsewhere what is read stays where it is, also when older
 * messages come in above it. (The browser's own anchoring does that in some browsers only, and not at the very top.)
 * @param firstKey of the oldest row @param isReady the first page is here
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
      // What is new, if there is any; else the end.
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
