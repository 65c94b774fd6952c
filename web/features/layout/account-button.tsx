// Made of constants or rendered rarely: the React compiler's caches would only add to what everybody loads first.
'use no memo'

import { lazy } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { ownDisplayName } from '../../../contracts/display-name.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/cx.ts'
import { LazyMenu } from '../../ui/lazy-menu.tsx'
import type { AccountMenuKind } from './account-destinations.ts'

const load = () => import('./account-menu.tsx')
const TopMenu = lazy(async () => ({ default: (await load()).TopAccountMenu }))
const SimpleMenu = lazy(async () => ({ default: (await load()).SimpleAccountMenu }))

type AccountButtonProps = { user: CurrentUser; kind: Exclude<AccountMenuKind, 'more'>; className?: string | undefined }

/** The avatar in a header; it opens the menu of the signed-in person. */
export function AccountButton({ user, kind, className }: AccountButtonProps) {
  const name = ownDisplayName(user)
  return (
    <LazyMenu menu={kind === 'top' ? TopMenu : SimpleMenu} load={load} popup="dialog">
      <button type="button" className={cx('touch-target shrink-0 rounded-full', className)}>
        <Avatar id={user.id} name={name} imageUrl={user.profileImageUrl} />
        <span className="sr-only">Account: {name}</span>
      </button>
    </LazyMenu>
  )
}
