import { Link } from '@tanstack/react-router'
import { textLink } from '#web/ui/link-styles.ts'

/** `newCount` is the number of items or locations that aren't saved yet. */
type RoomNoteProps = { slug: string; limit: number; what: 'items' | 'locations'; isOver: boolean; newCount?: number }

export function RoomNote({ slug, limit, what, isOver, newCount = 0 }: RoomNoteProps) {
  return (
    <p className="max-w-text rounded-input bg-sunk px-4 py-3 text-sm">
      {includedWords({ limit, what, isOver, newCount })} Business Tools has no limit.{' '}
      <Link to="/business/$id" params={{ id: slug }} search={{ tab: 'tools' }} hash="more" className={textLink}>
        See the plan
      </Link>
    </p>
  )
}

function includedWords({ limit, what, isOver, newCount }: Required<Omit<RoomNoteProps, 'slug'>>): string {
  const included = `A free account includes ${limit} ${what}`
  if (isOver) return `${included}. You can still edit and remove your existing ones.`
  if (newCount === 0) return `${included}, and you’ve used them all.`
  return newCount === 1
    ? `${included}. With your new one, you’ve used them all.`
    : `${included}. With your ${newCount} new ones, you’ve used them all.`
}
