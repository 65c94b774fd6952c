import { ShieldCheck, SquarePen } from 'lucide-react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { accountDestinations } from '../layout/account-destinations.ts'
import { mainDestinations } from '../layout/destinations.ts'

type Destination = (typeof accountDestinations.more)[number] | (typeof mainDestinations)[number]
export type Command = Pick<Destination, 'label' | 'Icon'> & { link: { to: string } }

const createPost = { label: 'Create Post', Icon: SquarePen, link: { to: '/create-post' } }
const moderation = { label: 'Moderation', Icon: ShieldCheck, link: { to: '/admin' } }

/** The pages that somebody can go to: those of the headers and of the menu behind "More". */
export function commandsFor({ role }: Pick<CurrentUser, 'role'>): Command[] {
  return [...mainDestinations, createPost, ...accountDestinations.more, ...(role === 'member' ? [] : [moderation])]
}
