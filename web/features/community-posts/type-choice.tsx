import { BarChart3, CircleHelp, MessagesSquare, Sprout } from 'lucide-react'
import { useId } from 'react'
import type { CommunityPostType } from '../../../contracts/posts.ts'
import { communityPostTypes } from '../posts/post-words.ts'

const icons = { discussion: MessagesSquare, question: CircleHelp, grow_update: Sprout, poll: BarChart3 }

/** What kind of post it is: radio buttons that look like chips. */
export function TypeChoice({ value, onChange }: { value: CommunityPostType; onChange: (type: CommunityPostType) => void }) {
  const name = useId()
  return (
    <fieldset aria-describedby={`${name}-hint`}>
      <legend className="mb-2 font-medium text-sm">What is it?</legend>
      <div className="flex flex-wrap gap-2">
        {(Object.keys(communityPostTypes) as CommunityPostType[]).map((type) => {
          const Icon = icons[type]
          return (
            <label
              key={type}
              className="relative inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-full border border-line bg-surface px-3.5 py-1 font-medium text-sm transition-colors hover:border-edge has-checked:border-leaf has-checked:bg-leaf-soft has-checked:text-leaf has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                name={name}
                value={type}
                checked={value === type}
                onChange={() => onChange(type)}
                className="absolute inset-0 cursor-pointer appearance-none rounded-full opacity-0"
              />
              <Icon aria-hidden="true" className="size-4" />
              {communityPostTypes[type].label}
            </label>
          )
        })}
      </div>
      <p id={`${name}-hint`} className="mt-2 text-muted text-sm">
        {communityPostTypes[value].hint}.
      </p>
    </fieldset>
  )
}
