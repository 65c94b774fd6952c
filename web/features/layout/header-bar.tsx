// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { brand } from '../../lib/boot.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'

/** The bar of every header: 64 px high and always in view. Its parts stand in one row. */
export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-40 h-16 border-line border-b bg-ground/92 backdrop-blur-md supports-[not(backdrop-filter:blur(1px))]:bg-ground">
      <div className="mx-auto flex h-full max-w-page items-center gap-3 px-4 sm:gap-6 sm:px-6">{children}</div>
    </header>
  )
}

/** Home for those who have one; for visitors, the page that says what this is. */
export function BrandLink({ to }: { to: '/' | '/landing' }) {
  return (
    <Link to={to} className="-mx-1.5 flex min-h-11 shrink-0 items-center gap-2.5 rounded-tag px-1.5">
      <BrandMark />
      <span className="font-display font-display text-[1.3125rem] tracking-[-0.01em]">{brand.name}</span>
    </Link>
  )
}
