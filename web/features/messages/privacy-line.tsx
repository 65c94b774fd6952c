import { ShieldAlert } from 'lucide-react'
import { brand } from '../../lib/boot.ts'
import { cx } from '../../ui/cx.ts'

/** Who can read what is written here, said plainly. */
export function PrivacyLine({ className }: { className?: string }) {
  return (
    <p className={cx('flex items-start gap-2.5 rounded-input bg-sunk px-3.5 py-3 text-muted text-sm', className)}>
      <ShieldAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
      <span>
        Messages are not end-to-end encrypted. The people who run {brand.name} can read a message that is reported, and what stands around
        it.
      </span>
    </p>
  )
}
