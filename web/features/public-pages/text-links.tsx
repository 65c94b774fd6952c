import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { brand } from '../../lib/boot.ts'
import { textLink } from '../../ui/link-styles.ts'

/** A link in running text to a page of ours. */
export function PageLink({ children, ...link }: Pick<LinkProps, 'to' | 'hash' | 'params'> & { children: ReactNode }) {
  return (
    <Link {...link} className={textLink}>
      {children}
    </Link>
  )
}

/** A link in running text that leaves the site. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} rel="noreferrer" className={textLink}>
      {children}
    </a>
  )
}

/** The support address as a link that starts a mail. */
export function SupportMail({ subject, children = brand.supportEmail }: { subject?: string; children?: ReactNode }) {
  return (
    <a href={supportMailUrl(subject)} className={textLink}>
      {children}
    </a>
  )
}

export function supportMailUrl(subject?: string): string {
  return `mailto:${brand.supportEmail}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
}
