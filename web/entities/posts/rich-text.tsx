import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Mention } from '#contracts/posts.ts'
import { cx } from '#web/ui/cx.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { splitMentions } from './mentions.ts'

type RichTextProps = {
  text: string
  /** Positions refer to `whole`. */
  mentions?: readonly Mention[]
  whole?: string
  className?: string | undefined
}

/** For text that people wrote. Keeps line breaks, links web addresses and mentions, and escapes everything else. */
export function RichText({ text, mentions = [], whole = text, className }: RichTextProps) {
  return (
    <p className={cx('max-w-text whitespace-pre-line wrap-anywhere', className)}>
      {splitMentions(text, whole, mentions).map(({ text: part, mention }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
        mention ? <MentionLink key={index} mention={mention} text={part} /> : <Linked key={index} text={part} />,
      )}
    </p>
  )
}

function MentionLink({ mention: { kind, path }, text }: { mention: Mention; text: string }) {
  const id = path.split('/').at(-1) ?? ''
  const look = cx(textLink, 'relative z-1')
  return kind === 'person' ? (
    <Link to="/people/$id" params={{ id }} className={look}>
      {text}
    </Link>
  ) : (
    <Link to="/business/$id" params={{ id }} className={look}>
      {text}
    </Link>
  )
}

function Linked({ text }: { text: string }) {
  return (
    <>
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
    </>
  )
}

/** `of` names the content, such as a post, for the button's accessible name. */
export function FoldedText({
  text,
  mentions = [],
  of,
  className,
}: {
  text: string
  mentions?: readonly Mention[]
  of: string
  className?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const folded = foldText(text)
  if (folded === null) return <RichText text={text} mentions={mentions} className={className} />
  return (
    <div className={className}>
      <RichText text={isOpen ? text : folded} whole={text} mentions={mentions} />
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={cx(textLink, 'touch-target mt-1 text-sm')}>
        {isOpen ? 'Show less' : 'Show more'}
        <span className="sr-only"> of {of}</span>
      </button>
    </div>
  )
}

/** Far above the visible length, so unfolding is worthwhile. */
const foldFrom = { characters: 560, lines: 12 }
const shown = { characters: 380, lines: 7 }

/** Cuts between words. Null if the text is short enough. */
export function foldText(text: string): string | null {
  const lines = text.split('\n')
  if (text.length <= foldFrom.characters && lines.length <= foldFrom.lines) return null
  const first = lines.slice(0, shown.lines).join('\n')
  if (first.length <= shown.characters) return `${first.trimEnd()} …`
  const cut = first.slice(0, shown.characters)
  const space = cut.search(/\s\S*$/)
  return `${(space > shown.characters / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')).trimEnd()} …`
}

type TextPart = { text: string; href: string | null }

const address = /\bhttps?:\/\/[^\s<>"']+/gi
/** Punctuation after an address isn't part of it. */
const trailing = /[.,;:!?…)\]}»”’]+$/

/** Only valid http(s) addresses become links, and nothing is parsed as HTML. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(address)) {
    const found = trimEnd(match[0])
    const url = URL.canParse(found) ? new URL(found) : null
    // Credentials before the host can deceive people ("https://bank.example@evil.example").
    if (!url?.hostname.includes('.') || url.username !== '') continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index), href: null })
    parts.push({ text: found, href: url.href })
    end = match.index + found.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), href: null })
  return parts
}

/** Strips trailing punctuation, except a parenthesis that closes one in the address ("/wiki/Hemp_(plant)"). */
function trimEnd(found: string): string {
  const bare = found.replace(trailing, '')
  const bracket = found[bare.length]
  return bracket === ')' && bare.includes('(') ? `${bare})` : bare
}
