import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { brand } from '#web/lib/boot.ts'
import { BrandMark } from '#web/ui/brand-mark.tsx'

export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-40 h-16 border-line border-b bg-ground/92 backdrop-blur-md supports-[not(backdrop-filter:blur(1px))]:bg-ground">
      <div className="mx-auto flex h-full max-w-page items-center gap-3 px-4 sm:gap-6 sm:px-6">{children}</div>
    </header>
  )
}

/** Links to Home for members and to the landing page for visitors. */
export function BrandLink({ to }: { to: '/' | '/landing' }) {
  return (
    <Link to={to} className="-mx-1.5 flex min-h-11 shrink-0 items-center gap-2.5 rounded-tag px-1.5">
      <BrandMark />
      <span className="font-display font-display text-[1.3125rem] tracking-[-0.01em]">{brand.name}</span>
    </Link>
  )
}
