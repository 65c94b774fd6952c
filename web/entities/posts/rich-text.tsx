import { useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { foldText, splitLinks } from './text-parts.ts'

/** User text: keeps line breaks, links web addresses, and escapes everything else. */
export function RichText({ text, className }: { text: string; className?: string | undefined }) {
  return (
    <p className={cx('max-w-text whitespace-pre-line wrap-anywhere', className)}>
      {splitLinks(text).map(({ text: part, href }, index) =>
        href === null ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
          <a key={index} href={href} target="_blank" rel="nofollow ugc noopener noreferrer" className={cx(textLink, 'relative z-1')}>
            {part}
          </a>
        ),
      )}
    </p>
  )
}

/** Same for lists: long texts are folded. `of` is the post's title. */
export function FoldedText({ text, of, className }: { text: string; of: string; className?: string }) {
  const [isOpen, setOpen] = useState(false)
  const folded = foldText(text)
  if (folded === null) return <RichText text={text} className={className} />
  return (
    <div className={className}>
      <RichText text={isOpen ? text : folded} />
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={cx(textLink, 'touch-target mt-1 text-sm')}>
        {isOpen ? 'Show less' : 'Show more'}
        <span className="sr-only"> of {of}</span>
      </button>
    </div>
  )
}
