// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { brand } from '../../lib/boot.ts'
import { changeTitle } from '../../lib/document-title.ts'

/**
 * Ties the page to the heading of the screen inside `main`: the document's title is the text of its `h1`, or the `data-title` of that when
 * the heading alone would not say where one is. After a navigation to another path the focus goes to the heading, so that a screen reader
 * tells where one has arrived and the Tab key starts at the new content. A screen that puts the focus somewhere itself keeps it, and so does
 * somebody who went on to something else while the screen was on its way.
 */
export function useScreenHeading(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    const element = main.current
    if (!element) return
    let left: string | null = null
    let isArriving = false
    let origin: Element | null = null
    let hasActed = false
    const act = () => {
      hasActed = true
    }

    const meetHeading = () => {
      const heading = element.querySelector('h1')
      const text = heading && (heading.dataset.title ?? heading.textContent)
      if (!heading || !text) return
      changeTitle({ text: `${text} · ${brand.name}` })
      // While code or data is fetched the screen that was left stays in view; its heading is not the one to go to.
      if (!isArriving || text === left) return
      isArriving = false
      const active = document.activeElement
      if (active && active !== element && element.contains(active)) return
      if (hasActed && active !== document.body && active !== element && active !== origin) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }

    const unsubscribe = [
      router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation) return
        hasActed = false
        origin = document.activeElement
        const heading = element.querySelector('h1')
        left = heading && (heading.dataset.title ?? heading.textContent)
      }),
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || !fromLocation) return
        isArriving = true
        meetHeading()
      }),
    ]
    const observer = new MutationObserver(meetHeading)
    observer.observe(element, { childList: true, characterData: true, subtree: true })
    document.addEventListener('pointerdown', act, true)
    document.addEventListener('keydown', act, true)
    meetHeading()
    return () => {
      document.removeEventListener('pointerdown', act, true)
      document.removeEventListener('keydown', act, true)
      for (const stop of unsubscribe) stop()
      observer.disconnect()
    }
  }, [main, router])
}
