import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { dateFormat } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuContent, MenuTrigger } from '#web/ui/menu.tsx'

const month = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' })

type MemberRowProps = {
  person: { id: string; name: string; imageUrl: string | null }
  isSelf: boolean
  since: string
  /** After the date. */
  note?: string | null
  badge: ReactNode
  menu: { label: string; items: ReactNode } | null
  /** Dialogs. */
  children: ReactNode
}

/** A list item for a member of a community or team. */
export function MemberRow({ person, isSelf, since, note, badge, menu, children }: MemberRowProps) {
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 sm:px-5">
      <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">
          <Link to="/people/$id" params={{ id: person.id }} className="touch-target rounded-tag hover:underline hover:underline-offset-3">
            {person.name}
          </Link>
          {isSelf && <span className="text-muted"> (you)</span>}
        </p>
        <p className="text-muted text-sm">
          Since {month.format(new Date(since))}
          {note && ` · ${note}`}
        </p>
      </div>
      {badge}
      {menu && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton label={menu.label} size="sm">
              <Ellipsis aria-hidden="true" />
            </IconButton>
          </MenuTrigger>
          <MenuContent>{menu.items}</MenuContent>
        </Menu>
      )}
      {children}
    </li>
  )
}
