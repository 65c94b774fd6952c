import { type ChosenFile, fileProblem, kindOf } from '../media/check-file.ts'

/** What is wrong with a file as a photo of a log, before it is kept; null when it may well be taken. */
export const problemOfPhoto = (file: ChosenFile): string | null =>
  kindOf(file) === 'video' ? 'This is a video. Add photos to a log.' : fileProblem(file)
