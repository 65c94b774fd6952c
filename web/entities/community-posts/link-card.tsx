import { Link } from '@tanstack/react-router'
import { ChevronRight, Leaf, Package, Sprout, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PostLink } from '#contracts/post-in-community.ts'

const looks = {
  hunt: { icon: Sprout, word: 'Pheno hunt' },
  strain: { icon: Leaf, word: 'Strain' },
  business: { icon: Store, word: 'Business' },
  product: { icon: Package, word: 'Product' },
} as const

export function LinkFace({ link: { kind, name, detail }, end }: { link: Pick<PostLink, 'kind' | 'name' | 'detail'>; end?: ReactNode }) {
  const { icon: Icon, word } = looks[kind]
  return (
    <>
      <span className="grid size-9 shrink-0 place-items-center rounded-input bg-leaf-soft text-leaf">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-muted text-sm">
          {word}
          {detail && ` · ${detail}`}
        </span>
      </span>
      {end}
    </>
  )
}

export function LinkCard({ link }: { link: PostLink }) {
  return (
    <Link
      to={link.path}
      className="mt-4 flex items-center gap-3 rounded-input border border-line p-2.5 pr-3 transition-colors hover:border-edge hover:bg-sunk"
    >
      <LinkFace link={link} end={<ChevronRight aria-hidden="true" className="size-4.5 shrink-0 text-muted" />} />
    </Link>
  )
}
