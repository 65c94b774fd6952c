import { X } from 'lucide-react'
import type { CommunityPostType } from '../../../contracts/posts.ts'
import { Chip } from '../../ui/chip.tsx'
import type { PostFilter } from './community-posts.api.ts'

const types: [CommunityPostType | undefined, string][] = [
  [undefined, 'All'],
  ['question', 'Questions'],
  ['grow_update', 'Grow updates'],
  ['discussion', 'Discussions'],
  ['poll', 'Polls'],
]

type PostFiltersProps = { filter: Pick<PostFilter, 'type' | 'tag'>; onChange: (filter: Pick<PostFilter, 'type' | 'tag'>) => void }

/** Narrows a list of posts to a kind, and to a tag that was chosen elsewhere. */
export function PostFilters({ filter, onChange }: PostFiltersProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the parts of one question
    <div
      role="group"
      aria-label="Show"
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
    >
      {filter.tag && (
        <Chip pressed onClick={() => onChange({ ...filter, tag: undefined })}>
          #{filter.tag}
          <X aria-hidden="true" />
          <span className="sr-only">: show all tags again</span>
        </Chip>
      )}
      {types.map(([type, label]) => (
        <Chip key={label} pressed={filter.type === type} onClick={() => onChange({ ...filter, type })}>
          {label}
        </Chip>
      ))}
    </div>
  )
}
