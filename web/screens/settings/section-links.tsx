import { useLinkProps, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'

type SectionLinkProps = {
  to: SectionId
  isCurrent?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

export function SectionLink({ to, isCurrent, className, children }: SectionLinkProps) {
  const link = useLinkProps({ to: '/settings', hash: to, resetScroll: false, hashScrollIntoView: false })
  return (
    // The router's `aria-current` would mark all of these as the current page.
    <a {...link} aria-current={isCurrent ? 'location' : undefined} className={className}>
      {children}
    </a>
  )
}

/** As a share of the window's height. */
const readingLine = 0.33
/** Events that show that the person is scrolling. */
const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
/** In milliseconds. Sections load faster than this, so growth after that doesn't scroll the page. */
const settledMs = 4000

/** Scrolls to the section in the address. It remains in place while the sections above load, until the person scrolls. */
export function useCurrentSection(): SectionId {
  const { hash, state } = useLocation({ select: ({ hash, state }) => ({ hash, state: state.__TSR_key }) })
  const [current, setCurrent] = useState<SectionId>(isSection(hash) ? hash : sections[0].id)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `state` changes when the same link is followed again
  useEffect(() => {
    let isPinned = isSection(hash)
    const read = () => {
      if (isPinned) return
      const tops = sections.map(({ id }) => document.getElementById(id)?.getBoundingClientRect().top ?? 0)
      const { scrollHeight } = document.documentElement
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 2
      setCurrent((sections[sectionAt(tops, window.innerHeight * readingLine, isAtEnd)] ?? sections[0]).id)
    }
    const release = () => {
      isPinned = false
    }
    window.addEventListener('scroll', read, { passive: true })
    for (const move of moves) window.addEventListener(move, release, { passive: true })
    const stopHolding = isSection(hash) ? pin(hash, () => isPinned) : read()
    if (isSection(hash)) setCurrent(hash)
    // Dragging the scroll bar fires none of these events, so stop holding the section in place after a while.
    const settled = window.setTimeout(release, settledMs)
    return () => {
      window.removeEventListener('scroll', read)
      for (const move of moves) window.removeEventListener(move, release)
      stopHolding?.()
      window.clearTimeout(settled)
    }
  }, [hash, state])

  return current
}

/** Scrolls to the section now, and again when the page's height changes. @returns a function that stops this */
function pin(id: SectionId, isPinned: () => boolean): () => void {
  const focus = () => document.getElementById(`${id}-title`)?.focus({ preventScroll: true })
  const go = () => {
    document.getElementById(id)?.scrollIntoView()
    // The placeholder's heading, which had focus, was unmounted.
    if (document.activeElement === document.body) focus()
  }
  focus()
  const growth = new ResizeObserver(() => isPinned() && go())
  growth.observe(document.body)
  go()
  return () => growth.disconnect()
}

/** In page order. Anchors use `id`. */
export const sections = [
  { id: 'profile', title: 'Profile Information' },
  { id: 'account', title: 'Account Information' },
  { id: 'privacy', title: 'Privacy & Visibility' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'units', title: 'Units and region' },
  { id: 'sign-in', title: 'Sign-in and security' },
  { id: 'data', title: 'Your data' },
  { id: 'install', title: 'Install the app' },
  { id: 'support', title: 'Support & Help' },
] as const

export type SectionId = (typeof sections)[number]['id']

export const isSection = (id: string): id is SectionId => sections.some((section) => section.id === id)

/**
 * At the end of the page, the last section counts, even if it's below the reading line.
 * @param tops in page order, in pixels below the top of the window
 */
export function sectionAt(tops: readonly number[], line: number, isAtEnd: boolean): number {
  if (isAtEnd) return tops.length - 1
  return Math.max(
    0,
    tops.findLastIndex((top) => top <= line),
  )
}
