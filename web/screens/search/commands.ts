import { ShieldCheck, SquarePen } from 'lucide-react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { accountDestinations } from '#web/ui/account-destinations.ts'
import { mainDestinations } from '#web/ui/destinations.ts'

type Destination = (typeof accountDestinations.more)[number] | (typeof mainDestinations)[number]
export type Command = Pick<Destination, 'label' | 'Icon'> & { link: { to: string } }

const createPost = { label: 'Create Post', Icon: SquarePen, link: { to: '/create-post' } }
const moderation = { label: 'Moderation', Icon: ShieldCheck, link: { to: '/admin' } }

/** Pages offered as commands: those in the headers and in "More". */
export function commandsFor({ role }: Pick<CurrentUser, 'role'>): Command[] {
  return [...mainDestinations, createPost, ...accountDestinations.more, ...(role === 'member' ? [] : [moderation])]
}
