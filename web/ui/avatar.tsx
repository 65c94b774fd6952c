import { type CSSProperties, useState } from 'react'
import { cx } from './cx.ts'
import { hashText } from './seed.ts'

const sizes = { xs: 'size-6 text-[0.625rem]', sm: 'size-8 text-xs', md: 'size-10 text-sm', lg: 'size-14 text-lg', xl: 'size-24 text-2xl' }

type AvatarProps = {
  id: string
  name: string
  imageUrl?: string | null | undefined
  size?: keyof typeof sizes | undefined
  className?: string | undefined
}

/** A picture, or up to two initials. Decorative: the name is next to it or on the link around it. */
export function Avatar({ id, name, imageUrl, size = 'md', className }: AvatarProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const look = cx('inline-grid shrink-0 place-items-center overflow-hidden rounded-full', sizes[size], className)
  if (imageUrl && imageUrl !== failedUrl) {
    return (
      <img
        src={imageUrl}
        alt=""
        width={96}
        height={96}
        decoding="async"
        onError={() => setFailedUrl(imageUrl)}
        className={cx(look, 'bg-sunk object-cover')}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      style={{ '--hue': avatarHues[hashText(id) % avatarHues.length] } as CSSProperties}
      className={cx(look, 'avatar-tone font-semibold tracking-wide select-none')}
    >
      {initials(name)}
    </span>
  )
}

/** "Ann Archer" → "AA", "Ann" → "AN". Ignores symbols and emoji; empty without letters or digits. */
export function initials(name: string): string {
  const words = name.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? []
  const first = letters(words[0] ?? '')
  const last = words.length > 1 ? letters(words.at(-1)!) : first.slice(1)
  return `${first[0] ?? ''}${last[0] ?? ''}`.toLocaleUpperCase('en-US')
}

function letters(word: string): string[] {
  return word.match(/[\p{L}\p{N}]\p{M}*/gu) ?? []
}

/** Hues that are far enough apart to distinguish. */
export const avatarHues = [152, 188, 222, 256, 12, 44, 72, 98, 124] as const
