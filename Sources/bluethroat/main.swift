print("bluethroat")
