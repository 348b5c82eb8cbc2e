/** The model gave no usable answer. The reason is shown to the user, so it holds no text of the endpoint and no key. */
export class ModelFailed extends Error {
  override name = 'ModelFailed'
}
