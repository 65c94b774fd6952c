import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Media } from '../../../contracts/media.ts'
import { Button } from '../../ui/button.tsx'
import { FieldGroup } from '../../ui/field.tsx'
import { acceptedImages, fileProblem, kindOf } from '../media/check-file.ts'
import { ProductPicture } from './product-picture.tsx'
import { UploadState } from './upload-state.tsx'
import { useOneUpload } from './use-one-upload.ts'

type PictureFieldProps = {
  itemId: string
  type: BusinessType
  image: Media | null
  onChange: (image: Media | null) => void
  onBusy: (isBusy: boolean) => void
}

const problemOf = (file: File) => (kindOf(file) === 'video' ? 'Choose a picture: a product has no video.' : fileProblem(file))

/** A product's photo. Without one, shoppers see the drawing that stands here. */
export function PictureField({ itemId, type, image, onChange, onBusy }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const upload = useOneUpload({ problemOf, onReady: onChange, onBusy })
  return (
    <FieldGroup legend="Picture">
      <div className="flex items-start gap-4">
        <ProductPicture product={{ id: itemId, image }} type={type} className="size-24" />
        <div className="grid min-w-0 flex-1 gap-2">
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" onClick={() => input.current?.click()}>
              <ImagePlus aria-hidden="true" />
              {image ? 'Change' : 'Add a photo'}
            </Button>
            {image && (
              <Button variant="quiet" size="sm" onClick={() => onChange(null)}>
                Remove
              </Button>
            )}
          </div>
          <UploadState state={upload.state} onRetry={upload.send} onCancel={upload.cancel} />
          {!image && upload.state.status === 'none' && (
            <p className="text-muted text-sm">Without a photo, this drawing stands in for it.</p>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        accept={acceptedImages}
        aria-label="Photo of the product"
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) upload.send(file)
        }}
      />
    </FieldGroup>
  )
}
