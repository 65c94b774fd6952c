// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { Link } from '@tanstack/react-router'
import { type ComponentType, lazy } from 'react'
import { brand } from '../../lib/boot.ts'
import { WhenSeen } from '../../lib/when-seen.tsx'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { quietLink } from '../../ui/link-styles.ts'
import { footerColumns } from './footer-columns.ts'

const loadThemeSwitch = () => import('../../ui/theme-switch.tsx')
/** Without its code, as when there is no network, there is none. */
const ThemeSwitch = lazy<ComponentType>(async () => ({ default: (await loadThemeSwitch().catch(() => null))?.ThemeSwitch ?? (() => null) }))

export function Footer() {
  return (
    <footer className="border-line border-t bg-sunk">
      <div className="mx-auto grid max-w-page gap-x-8 gap-y-10 px-4 pt-12 pb-8 sm:grid-cols-3 sm:px-6 lg:grid-cols-[1.5fr_1fr_1fr_1fr]">
        <div className="grid content-start justify-items-start gap-4 sm:col-span-3 lg:col-span-1">
          <p className="flex items-center gap-2.5">
            <BrandMark />
            <span className="font-display font-display text-lg">{brand.name}</span>
          </p>
          <p className="max-w-[24ch] text-muted">{brand.tagline}</p>
          <WhenSeen load={loadThemeSwitch} className="min-h-9.5">
            <ThemeSwitch />
          </WhenSeen>
        </div>
        {footerColumns.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="mb-3 font-semibold font-text text-sm tracking-normal">{title}</h2>
            <ul className="grid gap-2.5 pointer-coarse:gap-5">
              {links.map(({ label, link }) => (
                <li key={label}>
                  <Link {...link} className={quietLink}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="flex flex-wrap justify-between gap-x-8 gap-y-1 border-line border-t pt-6 text-muted text-sm sm:col-span-full">
          <p>{brand.copyright}</p>
          <p>Licensed cannabis marketplace platform</p>
        </div>
      </div>
    </footer>
  )
}
