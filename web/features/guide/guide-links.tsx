import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { GuideLink as GuideLinkData } from '../../../contracts/guide.ts'
import { textLink } from '../../ui/link-styles.ts'

type GuideLinkProps = { to: GuideLinkData; label?: string; className?: string; onFollow?: (() => void) | undefined; children?: ReactNode }

/** An address of ours that the server names, with its search and its part of the page; the one of an authority, or a number to call. */
export function GuideLink({ to: { title, path }, label, className = textLink, onFollow, children = title }: GuideLinkProps) {
  if (path.startsWith('tel:')) {
    return (
      <a href={path} className={className}>
        {children}
      </a>
    )
  }
  if (!path.startsWith('/')) {
    return (
      <a href={path} target="_blank" rel="noreferrer" className={className}>
        {children}
        <ExternalLink aria-label="(opens in a new tab)" className="ml-1 inline size-3.5" />
      </a>
    )
  }
  const url = new URL(path, location.origin)
  const search = Object.fromEntries(url.searchParams)
  return (
    <Link
      to={url.pathname as never}
      search={search as never}
      {...(url.hash ? { hash: url.hash.slice(1) } : {})}
      {...(onFollow ? { onClick: onFollow } : {})}
      {...(label ? { 'aria-label': label } : {})}
      className={className}
    >
      {children}
    </Link>
  )
}

type GuideRecordProps = { to: GuideLinkData; fact: string; onFollow: () => void }

/** A record with what is known of it: the whole row leads there. */
export const GuideRecord = ({ to, fact, onFollow }: GuideRecordProps) => (
  <GuideLink to={to} onFollow={onFollow} className="-mx-2 block rounded-input px-2 py-1.5 transition-colors hover:bg-sunk">
    <span className="block font-medium text-[0.9375rem] wrap-anywhere">{to.title}</span>
    <span className="block text-muted text-sm first-letter:uppercase">{fact}</span>
  </GuideLink>
)

/** Where an answer comes from. */
export function GuideLinks({ links, onFollow }: { links: readonly GuideLinkData[]; onFollow?: () => void }) {
  if (links.length === 0) return null
  return (
    <ul className="grid gap-1.5 text-sm">
      {links.map((link) => (
        <li key={link.path + link.title}>
          <GuideLink to={link} onFollow={onFollow} />
        </li>
      ))}
    </ul>
  )
}
