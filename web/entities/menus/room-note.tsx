import { Link } from '@tanstack/react-router'
import { textLink } from '#web/ui/link-styles.ts'

type RoomNoteProps = { slug: string; limit: number; what: 'items' | 'locations'; isOver: boolean }

export function RoomNote({ slug, limit, what, isOver }: RoomNoteProps) {
  return (
    <p className="max-w-text rounded-input bg-sunk px-4 py-3 text-sm">
      A free account includes {limit} {what}
      {isOver ? `. You can still edit and remove your existing ones.` : ', and you’ve used them all.'} Business Tools has no limit.{' '}
      <Link to="/business/$id" params={{ id: slug }} search={{ tab: 'tools' }} hash="more" className={textLink}>
        See the plan
      </Link>
    </p>
  )
}
