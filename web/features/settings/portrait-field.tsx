import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { ownDisplayName } from '../../../contracts/display-name.ts'
import type { Media } from '../../../contracts/media.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { acceptedImages, fileProblem, kindOf } from '../media/check-file.ts'
import { FileChoice } from '../media/file-choice.tsx'
import { useOneUpload } from '../media/use-one-upload.ts'

type PortraitFieldProps = {
  user: CurrentUser
  /** Of the picture that is shown; empty for none. */
  url: string
  error: string | undefined
  onChange: (picture: Media | null) => void
  onBusy: (isBusy: boolean) => void
}

const problemOf = (file: File) => (kindOf(file) === 'video' ? 'Choose a picture, not a video.' : fileProblem(file))

/** The picture beside one's name. Decoration: nobody needs to hear what it shows. */
export function PortraitField({ user, url, error, onChange, onBusy }: PortraitFieldProps) {
  const upload = useOneUpload({ problemOf, onReady: onChange, onBusy })
  const choose = useRef<HTMLButtonElement>(null)
  const remove = () => {
    onChange(null)
    // The button that was pressed has gone.
    choose.current?.focus()
  }
  return (
    <FieldGroup legend="Profile picture" error={error}>
      <div className="flex items-center gap-5 max-[22.5rem]:grid max-[22.5rem]:gap-3">
        <Avatar id={user.id} name={ownDisplayName(user)} imageUrl={url || null} size="xl" />
        <div className="grid min-w-0 flex-1 gap-2.5">
          <FileChoice ref={choose} upload={upload} accept={acceptedImages} label="Picture file" onRemove={url ? remove : null}>
            <ImagePlus aria-hidden="true" />
            {url ? 'Change picture' : 'Add a picture'}
          </FileChoice>
          {upload.state.status === 'none' && (
            <p className="text-muted text-sm">Shown in a circle. Where and when it was taken is removed from the file.</p>
          )}
        </div>
      </div>
    </FieldGroup>
  )
}
