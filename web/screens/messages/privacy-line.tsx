import { ShieldAlert } from 'lucide-react'
import { brand } from '#web/lib/boot.ts'
import { cx } from '#web/ui/cx.ts'

export function PrivacyLine({ className }: { className?: string }) {
  return (
    <p className={cx('flex items-start gap-2.5 rounded-input bg-sunk px-3.5 py-3 text-muted text-sm', className)}>
      <ShieldAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
      <span>
        Messages aren’t end-to-end encrypted. If a message is reported, moderators of {brand.name} can read it and the messages around it.
      </span>
    </p>
  )
}
