import { Link } from '@tanstack/react-router'
import { Menu } from 'lucide-react'
import { lazy } from 'react'
import { barDestinations } from '#web/ui/destinations.ts'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'

const load = () => import('./more-sheet.tsx')
const MoreSheet = lazy(load)

const item =
  'group grid min-h-14 flex-1 content-center justify-items-center gap-0.5 rounded-tag font-medium text-muted text-xs aria-[current]:text-leaf'
const pill =
  'grid h-7 w-14 place-items-center rounded-full transition-colors group-aria-[current]:bg-leaf-soft [&_svg]:size-5 group-aria-[current]:[&_svg]:stroke-[2.25]'

export function BottomBar() {
  return (
    <nav
      aria-label="Main"
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-40 border-line border-t bg-surface pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] md:hidden"
    >
      <div className="mx-auto flex max-w-lg gap-1 px-2">
        {barDestinations.map(({ label, Icon, link }) => (
          <Link key={label} {...link} activeOptions={{ exact: true, includeSearch: false }} className={item}>
            <span className={pill}>
              <Icon aria-hidden="true" />
            </span>
            {label}
          </Link>
        ))}
        <LazyMenu menu={MoreSheet} load={load} popup="dialog">
          <button type="button" className={item}>
            <span className={pill}>
              <Menu aria-hidden="true" />
            </span>
            More
          </button>
        </LazyMenu>
      </div>
    </nav>
  )
}
