import { useLinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SectionId } from './sections.ts'

type SectionLinkProps = {
  to: SectionId
  isCurrent?: boolean | undefined
  className?: string | undefined
  children: ReactNode
}

/** Leads to a section of this page. The section is gone to by whoever holds it there: see useCurrentSection. */
export function SectionLink({ to, isCurrent, className, children }: SectionLinkProps) {
  const link = useLinkProps({ to: '/settings', hash: to, resetScroll: false, hashScrollIntoView: false })
  return (
    // Not the router's `aria-current`: to it, each of these is the page itself.
    <a {...link} aria-current={isCurrent ? 'location' : undefined} className={className}>
      {children}
    </a>
  )
}
