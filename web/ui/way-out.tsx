import { LogOut } from 'lucide-react'
import { brand } from '#web/lib/boot.ts'
import { signOutUrl } from '#web/lib/route-access.ts'
import { BrandMark } from '#web/ui/brand-mark.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { cx } from '#web/ui/cx.ts'

/** Replaces the header for people who can't use its links, such as suspended people. */
export const SignOutHeader = ({ className }: { className?: string }) => (
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
