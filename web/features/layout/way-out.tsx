import { LogOut } from 'lucide-react'
import { brand } from '../../lib/boot.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { cx } from '../../ui/cx.ts'
import { signOutUrl } from './server-urls.ts'

/** In the place of the header, for whom that leads nowhere. */
export const WayOut = ({ className }: { className?: string }) => (
  <div className={cx('mb-8 flex items-center justify-between gap-4', className)}>
    <p className="flex items-center gap-2.5 font-display text-lg">
      <BrandMark />
      {brand.name}
    </p>
    <a href={signOutUrl} className={buttonClass('secondary', 'md')}>
      <LogOut aria-hidden="true" />
      Sign Out
    </a>
  </div>
)
