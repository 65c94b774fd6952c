import { Ban, Flag, PenLine, Share2, Volume2, VolumeX } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { useBlockBusiness } from '#web/entities/businesses/block-business.ts'
import { useMute } from '#web/entities/people/block-and-mute.tsx'
import { ReportDialog } from '#web/entities/reports/report-dialog.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { shareLink } from '#web/ui/share-link.ts'
import { SuggestChangeDialog } from './suggest-change.tsx'

export type BusinessMenuProps = {
  business: Pick<BusinessSummary, 'id' | 'slug' | 'name' | 'type' | 'location' | 'isClaimed' | 'isDemo' | 'closure'>
  isBlocked: boolean
  isMuted: boolean
  isSubscribed: boolean
}

type Dialog = 'block' | 'report' | 'suggest'

/** {@link file://./member-actions.tsx} loads this on demand. */
export default function OpenBusinessMenu({
  business,
  isBlocked,
  isMuted,
  isSubscribed,
  trigger,
}: BusinessMenuProps & { trigger: ReactElement }) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { setBlocked } = useBlockBusiness(business)
  const { setMuted } = useMute({ kind: 'business', id: business.id, name: business.name })
  const control = (name: Dialog) => ({
    open: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  })
  return (
    <>
      <Menu defaultOpen>
        <MenuTrigger asChild>{trigger}</MenuTrigger>
        <MenuContent>
          <MenuItem
            onSelect={() => void shareLink(`${location.origin}/menu/${business.slug}`, business.name, 'Anyone of legal age can open it.')}
          >
            <Share2 aria-hidden="true" />
            Share
          </MenuItem>
          {!isBlocked && !business.isDemo && (
            <MenuItem onSelect={() => setDialog('suggest')}>
              <PenLine aria-hidden="true" />
              Suggest a change
            </MenuItem>
          )}
          {!isBlocked && (
            <MenuItem onSelect={() => setMuted(!isMuted)}>
              {isMuted ? <Volume2 aria-hidden="true" /> : <VolumeX aria-hidden="true" />}
              {isMuted ? 'Unmute' : 'Mute'}
            </MenuItem>
          )}
          <MenuItem onSelect={() => setDialog('report')}>
            <Flag aria-hidden="true" />
            Report
          </MenuItem>
          {!isBlocked && (
            <MenuItem danger onSelect={() => setDialog('block')}>
              <Ban aria-hidden="true" />
              Block
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      <ReportDialog
        subject="business"
        subjectId={business.id}
        writer={isBlocked ? null : { kind: 'business', id: business.id, name: business.name }}
        {...control('report')}
      />
      <SuggestChangeDialog business={business} {...control('suggest')} />
      <ConfirmDialog
        {...control('block')}
        title={`Block ${business.name}?`}
        confirmText="Block"
        onConfirm={() => {
          setDialog(null)
          setBlocked(true)
        }}
      >
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>You won’t see its posts in your feed, and we won’t suggest it to you.</li>
          <li>
            You’ll no longer follow it
            {isSubscribed ? ', and your subscription will end. Unblocking won’t undo this.' : '.'}
          </li>
          <li>You can still open its page, where you can unblock it at any time.</li>
        </ul>
      </ConfirmDialog>
    </>
  )
}
