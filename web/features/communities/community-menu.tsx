import { useRouter } from '@tanstack/react-router'
import { Ellipsis, Flag, Link as LinkIcon, LogOut, Settings, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Community } from '../../../contracts/communities.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { shareLink } from '../../ui/share-link.ts'
import { useMembership } from './use-membership.ts'

const ReportDialog = lazyDialog(async () => (await import('../reports/report-dialog.tsx')).ReportDialog)

/** What else can be done with a community. */
export function CommunityMenu({ community, onGone }: { community: Community; onGone: () => void }) {
  const router = useRouter()
  const { leave } = useMembership(community, onGone)
  const [dialog, setDialog] = useState<'leave' | 'report' | null>(null)
  const { abilities, slug, name, visibility, myRole } = community
  const manage = () =>
    void router.navigate({ to: '/communities/$id', params: { id: slug }, search: { section: 'manage' }, resetScroll: false })
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More about ${name}`} variant="outline">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {visibility !== 'private' && (
            <MenuItem onSelect={() => void shareLink(`${location.origin}/communities/${slug}`, name)}>
              <LinkIcon aria-hidden="true" />
              Copy link
            </MenuItem>
          )}
          {abilities.invite && (
            <MenuItem onSelect={manage}>
              <UserPlus aria-hidden="true" />
              Invite people
            </MenuItem>
          )}
          {abilities.edit && (
            <MenuItem onSelect={manage}>
              <Settings aria-hidden="true" />
              Settings
            </MenuItem>
          )}
          {myRole !== 'owner' && (
            <MenuItem onSelect={() => setDialog('report')}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          {abilities.leave && (
            // One comes back into a public one as easily: there the toast has Undo.
            <MenuItem danger onSelect={() => (visibility === 'public' && myRole === 'member' ? leave() : setDialog('leave'))}>
              <LogOut aria-hidden="true" />
              Leave
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      <ConfirmDialog
        open={dialog === 'leave'}
        onOpenChange={(open) => setDialog(open ? 'leave' : null)}
        title={`Leave ${name}?`}
        confirmText="Leave"
        onConfirm={() => {
          setDialog(null)
          leave()
        }}
      >
        {whatLeavingEnds(community)}
      </ConfirmDialog>
      {dialog === 'report' && (
        <ReportDialog subject="community" subjectId={community.id} open onOpenChange={(open) => !open && setDialog(null)} />
      )}
    </>
  )
}

function whatLeavingEnds({ visibility, myRole }: Community): string {
  const role = myRole === 'moderator' ? ' You are not a moderator then, and invitations you sent end.' : ''
  if (visibility === 'private') return `You do not see it any more, until somebody invites you again. What you wrote stays.${role}`
  if (visibility === 'invite_only') return `You read it again once a moderator lets you in. What you wrote stays.${role}`
  return `You can join again at any time. What you wrote stays.${role}`
}
