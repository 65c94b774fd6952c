import type { TrendingTag } from '../../../contracts/community-posts.ts'

type TagListProps = { label: string; tags: readonly TrendingTag[]; chosen: string | undefined; onChoose: (tag: string | undefined) => void }

/** What is talked about, the most first; choosing one narrows the list beside it, choosing it again widens it. */
export function TagList({ label, tags, chosen, onChoose }: TagListProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-x-1 gap-y-1.5">
      {tags.map(({ tag }) => (
        <li key={tag}>
          <button
            type="button"
            aria-pressed={tag === chosen}
            onClick={() => onChoose(tag === chosen ? undefined : tag)}
            className="touch-target min-h-8 rounded-full px-2.5 text-leaf text-sm transition-colors wrap-anywhere hover:bg-leaf-soft aria-pressed:bg-ink aria-pressed:text-ground pointer-coarse:min-h-11"
          >
            #{tag}
          </button>
        </li>
      ))}
    </ul>
  )
}
