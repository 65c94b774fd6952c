import { cx } from './cx.ts'

/** Decorative: the brand's name is next to it. */
export function BrandMark({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cx('size-7 shrink-0', className)}>
      <circle cx="16" cy="16" r="16" fill="var(--mark-sky)" />
      <circle cx="16" cy="13.4" r="5.6" fill="var(--mark-sun)" />
      <path d="M.9 21.2c4.6-4.5 9.6-6.7 15.1-6.7s10.5 2.2 15.1 6.7A16 16 0 0 1 16 32 16 16 0 0 1 .9 21.2z" fill="var(--mark-hill)" />
      <path d="M5.2 27.8c3.2-3.3 6.800-5 10.8-5s7.6 1.7 10.8 5A16 16 0 0 1 16 32a16 16 0 0 1-10.800-4.200z" fill="var(--mark-near)" />
    </svg>
  )
}
