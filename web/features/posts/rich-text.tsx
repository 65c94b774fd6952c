import { useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { textLink } from '../../ui/link-styles.ts'
import { foldText } from './fold-text.ts'
import { splitLinks } from './split-links.ts'

/** What a person wrote: with its line breaks, its web addresses as links, and nothing else of it as HTML. */
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

/** The same in a list: long ones show their beginning until somebody wants the rest. */
export function FoldedText({
  text,
  of,
  className,
}: {
  text: string /** Whose text it is: the post's title. */
  of: string
  className?: string
}) {
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
