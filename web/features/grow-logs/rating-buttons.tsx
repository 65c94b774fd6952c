import { cx } from '../../ui/cx.ts'

const ratings = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

type RatingButtonsProps = { value: number | null; onChange: (value: number | null) => void; error?: string | undefined }

/** One to ten, each as large as a gloved thumb. The chosen one again takes it back. */
export function RatingButtons({ value, onChange, error }: RatingButtonsProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Rating</legend>
      <div className="grid grid-cols-5 gap-2 sm:max-md:grid-cols-10">
        {ratings.map((rating) => (
          <button
            key={rating}
            type="button"
            aria-pressed={rating === value}
            aria-label={`Rating ${rating} of 10`}
            onClick={() => onChange(rating === value ? null : rating)}
            className={cx(
              'min-h-12 rounded-input border font-semibold text-lg tabular-nums transition-colors',
              rating === value ? 'border-transparent bg-leaf text-on-leaf' : 'border-edge bg-surface hover:bg-sunk',
            )}
          >
            {rating}
          </button>
        ))}
      </div>
      {error && <p className="font-medium text-clay text-sm">{error}</p>}
    </fieldset>
  )
}
