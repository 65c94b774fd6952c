import { Link } from '@tanstack/react-router'
import { textLink } from '../../ui/link-styles.ts'

type RoomNoteProps = { slug: string; limit: number; what: 'items' | 'locations'; isOver: boolean }

/** Why nothing can be added, in plain words, and the way to more. */
export function RoomNote({ slug, limit, what, isOver }: RoomNoteProps) {
  return (
    <p className="max-w-text rounded-input bg-sunk px-4 py-3 text-sm">
      A free account has room for {limit} {what}
      {isOver ? `, and yours are kept: you can change and remove them.` : ', and they are all in use.'} Business Tools has no limit.{' '}
      <Link to="/business/$id" params={{ id: slug }} search={{ tab: 'tools' }} hash="more" className={textLink}>
        See the plan
      </Link>
    </p>
  )
}
