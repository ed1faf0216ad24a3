"""Pure rooms: values in, values out. No room here imports another; the engine carries values between them."""
