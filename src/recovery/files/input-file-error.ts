/** Something is wrong with a file that the operator named. The message is one line: file, place, what, and what would be right. */
export class InputFileError extends Error {
  override readonly name = 'InputFileError'
}
